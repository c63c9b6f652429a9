//! Completions of the names in the addresses of resources.

use rmcp::model::{CompleteRequestParams, CompletionInfo};

use super::{Surface, resources};

impl Surface {
    /// The names that begin with what a client has typed so far.
    pub(super) async fn completed(&self, request: &CompleteRequestParams) -> CompletionInfo {
        let template = request.r#ref.as_resource_uri().unwrap_or_default();
        let given = request.context.as_ref();
        let names = match (template, &*request.argument.name) {
            (resources::COMPONENT, "name") | (resources::HINT, "component") => {
                self.components().await
            }
            (resources::HINT, "key") => {
                match given.and_then(|given| given.get_argument("component")) {
                    Some(component) => self.keys(component).await,
                    None => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
        begun_with(names, &request.argument.value)
    }
}

fn begun_with(mut names: Vec<String>, start: &str) -> CompletionInfo {
    let start = start.to_lowercase();
    names.retain(|name| name.to_lowercase().starts_with(&start));
    let total = names.len();
    names.truncate(CompletionInfo::MAX_VALUES);
    let more = total > names.len();
    CompletionInfo::with_pagination(names, u32::try_from(total).ok(), more).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_completed_without_regard_to_case_and_up_to_a_hundred() {
        let names = |count: usize| (0..count).map(|n| format!("Api{n:03}")).collect();
        let few = begun_with(names(3), "aPI00");
        assert_eq!(
            (few.values.len(), few.total, few.has_more),
            (3, Some(3), Some(false))
        );
        let many = begun_with(names(101), "");
        assert_eq!(
            (many.values.len(), many.total, many.has_more),
            (100, Some(101), Some(true))
        );
        assert!(begun_with(names(3), "web").values.is_empty());
    }
}
