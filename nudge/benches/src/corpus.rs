//! The hints that everything is measured on: four variants a slot, each with a
//! cwd, a branch and an os in its scope.

use nudge::{Context, Name, Os, Scope, SetHint};

/// Keys in a component; with four variants each, 200 hints.
pub(crate) const KEYS: usize = 50;

/// Variants of a slot.
pub(crate) const VARIANTS: usize = 4;

/// How many different tags the rare one is drawn from.
pub(crate) const RARE_TAGS: usize = 100;

/// A corpus of a certain number of hints.
#[derive(Clone, Copy)]
pub(crate) struct Corpus {
    pub(crate) hints: usize,
}

impl Corpus {
    pub(crate) fn slots(self) -> usize {
        self.hints / VARIANTS
    }

    pub(crate) fn components(self) -> usize {
        self.slots().div_ceil(KEYS)
    }

    /// The names of a slot.
    pub(crate) fn names(slot: usize) -> (String, String) {
        let (component, key) = (slot / KEYS, slot % KEYS);
        (format!("service-{component:04}"), format!("task-{key:02}"))
    }

    /// What a flat map is keyed by.
    pub(crate) fn flat_key(slot: usize) -> String {
        let (component, key) = Self::names(slot);
        format!("{component}/{key}")
    }

    /// A place where one variant of each slot of a component applies.
    pub(crate) fn context(component: usize) -> Context {
        Context::new()
            .cwd(format!("/work/platform/service-{component:04}"))
            .branch("dev")
            .os(Os::Linux)
    }

    /// The request that sets one variant; `edition` makes its value differ.
    pub(crate) fn request(slot: usize, variant: usize, edition: usize) -> SetHint {
        let (component, key) = Self::names(slot);
        let number = slot * VARIANTS + variant;
        let (branch, os) = match variant {
            0 => ("dev", Os::Linux),
            1 => ("dev", Os::Darwin),
            2 => ("main", Os::Linux),
            _ => ("release/*", Os::Windows),
        };
        // Joined rather than formatted: without capacity to spare, as a text
        // read from JSON is.
        let edition = edition.to_string();
        let value = [
            "docker compose -f deploy/",
            &component,
            ".yml build ",
            &key,
            " --pull --progress=plain e",
            &edition,
        ];
        let step = number.to_string();
        let reason = [
            "the image of step ",
            &step,
            " is rebuilt whenever its base changes",
        ];
        let scope = Scope::new()
            .cwd_glob(format!("**/{component}*"))
            .branch(branch)
            .os(os);
        SetHint::new(&*component, &*key, value.concat())
            .reason(reason.concat())
            .tags([
                "build".to_owned(),
                format!("rare-{:02}", number % RARE_TAGS),
            ])
            .priority(1 + u8::try_from(number % 10).unwrap_or(0))
            .confidence(0.8)
            .added_by("agent:bench")
            .scope(scope)
    }

    /// Every request of the corpus.
    pub(crate) fn requests(self) -> impl Iterator<Item = SetHint> {
        (0..self.slots())
            .flat_map(move |slot| (0..VARIANTS).map(move |v| Self::request(slot, v, 0)))
    }

    /// Slots in an order without pattern, for ever; every run has the same.
    pub(crate) fn shuffled(self) -> impl Iterator<Item = usize> {
        let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
        std::iter::from_fn(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let number = usize::try_from(state >> 16).ok();
            number.map(|number| number % self.slots())
        })
    }
}

/// The names of a slot, ready to be asked for.
pub(crate) fn ready_names(slots: &[usize]) -> Vec<(Name, Name)> {
    let names = slots.iter().map(|slot| Corpus::names(*slot));
    names
        .map(|(component, key)| (component.into(), key.into()))
        .collect()
}
