//! Makers and hosts of language models, and their tools.

use crate::secret::rule::Alphabet::{Alnum, Hex, Joined, Url};
use crate::secret::rule::Part::Run;
use crate::secret::rule::{MANY, Rule, rules};

/// The formats; `tests/corpus/formats.tsv` has shapes of values for each.
pub(super) const RULES: &[Rule] = rules! {
    "anthropic-key": ["sk-ant-"] [Run(Url, 20, MANY)];
    "openai-key": ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-service-"]
        [Run(Url, 20, MANY)];
    "openrouter-key": ["sk-or-"] [Run(Url, 40, MANY)];
    "sk-key": ["sk-"] [Run(Url, 24, MANY)];
    "elevenlabs-key": ["sk_"] [Run(Hex, 48, 48)];
    "huggingface-token": ["hf_", "api_org_"] [Run(Alnum, 30, MANY)];
    "replicate-token": ["r8_"] [Run(Alnum, 36, MANY)];
    "groq-key": ["gsk_"] [Run(Alnum, 48, MANY)];
    "perplexity-key": ["pplx-"] [Run(Alnum, 40, MANY)];
    "xai-key": ["xai-"] [Run(Alnum, 60, MANY)];
    "cerebras-key": ["csk-"] [Run(Alnum, 40, MANY)];
    "langsmith-key": ["lsv2_pt_", "lsv2_sk_", "ls__"] [Run(Joined, 30, MANY)];
    "pinecone-key": ["pcsk_"] [Run(Joined, 40, MANY)];
    "wandb-key": ["wandb_v1_"] [Run(Url, 40, MANY)];
    "voyage-key": ["pa-"] [Run(Url, 40, MANY)];
    "jina-key": ["jina_"] [Run(Url, 40, MANY)];
    "tavily-key": ["tvly-"] [Run(Url, 20, MANY)];
    "firecrawl-key": ["fc-"] [Run(Hex, 32, 32)];
    "brave-key": ["BSA"] [Run(Url, 25, 32)];
    "modal-token": ["ak-", "as-"] [Run(Alnum, 22, 22)];
    "runpod-key": ["rpa_"] [Run(Alnum, 40, MANY)];
    "nvidia-key": ["nvapi-"] [Run(Url, 60, MANY)];
    "together-key": ["tgp_v1_"] [Run(Url, 30, MANY)];
    "fireworks-key": ["fw_"] [Run(Alnum, 20, MANY)];
    "e2b-key": ["e2b_"] [Run(Hex, 40, MANY)];
    "anyscale-key": ["esecret_"] [Run(Alnum, 20, MANY)];
    "dify-key": ["app-", "dataset-"] [Run(Alnum, 24, 24)];
    "cursor-key": ["key_"] [Run(Hex, 64, 64)];
    "context7-key": ["ctx7sk-"] [Run(Url, 30, MANY)];
    "mem0-key": ["m0-"] [Run(Alnum, 36, MANY)];
    "unkey-key": ["unkey_"] [Run(Alnum, 20, MANY)];
};
