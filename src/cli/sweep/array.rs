//! `--shard auto`: the shard of a job, by its place in an array of a batch system.

use crate::scene::InputError;
use crate::sim::study::grid::Shard;

/// The environment variables that a batch system sets in each job of an array.
struct BatchSystem {
    name: &'static str,
    /// That with the index of the job.
    index: &'static str,
    /// Those with the least and the largest index, and the difference between two of them.
    bounds: Option<[&'static str; 3]>,
    /// That with the number of jobs.
    count: Option<&'static str>,
    /// The index of the first shard where no variable tells it.
    first: usize,
    /// Whether the index is zero in a job of no array.
    is_zero_outside: bool,
}

const BATCH_SYSTEMS: [BatchSystem; 6] = [
    BatchSystem {
        name: "Slurm",
        index: "SLURM_ARRAY_TASK_ID",
        bounds: Some(["SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"]),
        count: Some("SLURM_ARRAY_TASK_COUNT"),
        first: 1,
        is_zero_outside: false,
    },
    BatchSystem {
        name: "Grid Engine",
        index: "SGE_TASK_ID",
        bounds: Some(["SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"]),
        count: None,
        first: 1,
        is_zero_outside: false,
    },
    BatchSystem {
        name: "LSF",
        index: "LSB_JOBINDEX",
        bounds: Some(["", "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP"]),
        count: None,
        first: 1,
        is_zero_outside: true,
    },
    BatchSystem { name: "PBS", index: "PBS_ARRAY_INDEX", bounds: None, count: None, first: 1, is_zero_outside: false },
    BatchSystem { name: "Torque", index: "PBS_ARRAYID", bounds: None, count: None, first: 1, is_zero_outside: false },
    BatchSystem {
        name: "Kubernetes",
        index: "JOB_COMPLETION_INDEX",
        bounds: None,
        count: None,
        first: 0,
        is_zero_outside: false,
    },
];

/// The shard of this job for `auto`, of as many as the array has jobs, or for `auto/64`, of 64;
/// `None` for another text. `variable` looks up a variable of the environment.
///
/// # Errors
/// [`InputError`] outside of an array, and where the array does not tell which shard this is.
pub(super) fn shard_of_job(text: &str, variable: impl Fn(&str) -> Option<String>) -> Option<Result<Shard, InputError>> {
    let count = match text.strip_prefix("auto")? {
        "" => None,
        rest => Some(rest.strip_prefix('/')?.trim().parse().ok()?),
    };
    let number = |name: &str| variable(name)?.trim().parse::<usize>().ok();
    let fault = |message: String| InputError::new(format!("--shard {text}"), message);
    // Grid Engine says "undefined" to a job of no array, which is no number
    let is_in_array =
        |system: &&BatchSystem| number(system.index).is_some_and(|index| index > 0 || !system.is_zero_outside);
    let Some(system) = BATCH_SYSTEMS.iter().find(is_in_array) else {
        let names = BATCH_SYSTEMS.map(|system| system.name).join(", ");
        return Some(Err(fault(format!("this is no job of an array ({names}); name the shard, like 3/64"))));
    };
    let shard = system.shard(count, number);
    Some(shard.map_err(|message| fault(format!("{}: {message}", system.name))))
}

impl BatchSystem {
    /// The shard of the job, of `count` or of as many as the array has jobs.
    fn shard(&self, count: Option<usize>, number: impl Fn(&str) -> Option<usize>) -> Result<Shard, String> {
        let index = number(self.index).unwrap_or_default();
        if let Some(count) = count {
            // a part of the shards may be run again, by their numbers
            let shard = index.checked_sub(self.first).and_then(|number| Shard::of(number, count));
            let [first, last] = [self.first, (self.first + count).saturating_sub(1)];
            return shard
                .ok_or_else(|| format!("the index of this job is {index}; number the jobs from {first} to {last}"));
        }
        let Some([first, last, step]) = self.bounds else {
            return Err("it does not tell how many jobs the array has; say it, like --shard auto/64".to_owned());
        };
        let first = number(first).unwrap_or(self.first);
        let last = number(last).ok_or_else(|| format!("{last} is not set"))?;
        let jobs = (last + 1).saturating_sub(first);
        let has_all = self.count.and_then(&number).is_none_or(|count| count == jobs);
        if first > 1 || number(step).unwrap_or(1) != 1 || !has_all {
            let mend = "say how many shards there are, like --shard auto/64, and number the jobs like the shards";
            return Err(format!("the array has not all indices from 1 on; {mend}"));
        }
        let shard = index.checked_sub(first).and_then(|number| Shard::of(number, jobs));
        shard.ok_or_else(|| format!("the index of this job is {index}, which is not within the array"))
    }
}
