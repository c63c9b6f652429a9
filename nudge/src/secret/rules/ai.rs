//! Makers and hosts of language models, and their tools.

use crate::secret::rule::Alphabet::{Alnum, Hex, Joined, Url};
use crate::secret::rule::Part::Run;
use crate::secret::rule::{MANY, Rule, rules};

/// The formats, each with shapes of values that trip it and of values that do not.
pub(super) const RULES: &[Rule] = rules! {
    "anthropic-key": ["sk-ant-"] [Run(Url, 20, MANY)]
        trips ["sk-ant-{23b}"] not ["sk-ant-xxxxxxxxxxxxxxxxxxxx"];
    "openai-key": ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-service-"]
        [Run(Url, 20, MANY)]
        trips ["sk-proj-{23b}", "sk-service-{23b}"] not ["sk-proj-xxxxxxxxxxxxxxxxxxxx"];
    "openrouter-key": ["sk-or-"] [Run(Url, 40, MANY)]
        trips ["sk-or-{43b}"] not ["sk-or-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "sk-key": ["sk-"] [Run(Url, 24, MANY)] trips ["sk-{27b}"] not ["sk-xxxxxxxxxxxxxxxxxxxxxxxx"];
    "elevenlabs-key": ["sk_"] [Run(Hex, 48, 48)]
        trips ["sk_{48h}"] not ["sk_000000000000000000000000000000000000000000000000"];
    "huggingface-token": ["hf_", "api_org_"] [Run(Alnum, 30, MANY)]
        trips ["hf_{33w}", "api_org_{33w}"] not ["hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "replicate-token": ["r8_"] [Run(Alnum, 36, MANY)]
        trips ["r8_{39w}"] not ["r8_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "groq-key": ["gsk_"] [Run(Alnum, 48, MANY)]
        trips ["gsk_{51w}"] not ["gsk_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "perplexity-key": ["pplx-"] [Run(Alnum, 40, MANY)]
        trips ["pplx-{43w}"] not ["pplx-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "xai-key": ["xai-"] [Run(Alnum, 60, MANY)]
        trips ["xai-{63w}"]
        not ["xai-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "cerebras-key": ["csk-"] [Run(Alnum, 40, MANY)]
        trips ["csk-{43w}"] not ["csk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "langsmith-key": ["lsv2_pt_", "lsv2_sk_", "ls__"] [Run(Joined, 30, MANY)]
        trips ["lsv2_pt_{33w}", "ls__{33w}"] not ["lsv2_pt_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "pinecone-key": ["pcsk_"] [Run(Joined, 40, MANY)]
        trips ["pcsk_{43w}"] not ["pcsk_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "wandb-key": ["wandb_v1_"] [Run(Url, 40, MANY)]
        trips ["wandb_v1_{43b}"] not ["wandb_v1_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "voyage-key": ["pa-"] [Run(Url, 40, MANY)]
        trips ["pa-{43b}"] not ["pa-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "jina-key": ["jina_"] [Run(Url, 40, MANY)]
        trips ["jina_{43b}"] not ["jina_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "tavily-key": ["tvly-"] [Run(Url, 20, MANY)]
        trips ["tvly-{23b}"] not ["tvly-xxxxxxxxxxxxxxxxxxxx"];
    "firecrawl-key": ["fc-"] [Run(Hex, 32, 32)]
        trips ["fc-{32h}"] not ["fc-00000000000000000000000000000000"];
    "brave-key": ["BSA"] [Run(Url, 25, 32)] trips ["BSA{25b}"] not ["BSAxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "modal-token": ["ak-", "as-"] [Run(Alnum, 22, 22)]
        trips ["ak-{22w}", "as-{22w}"] not ["ak-xxxxxxxxxxxxxxxxxxxxxx"];
    "runpod-key": ["rpa_"] [Run(Alnum, 40, MANY)]
        trips ["rpa_{43w}"] not ["rpa_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "nvidia-key": ["nvapi-"] [Run(Url, 60, MANY)]
        trips ["nvapi-{63b}"]
        not ["nvapi-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "together-key": ["tgp_v1_"] [Run(Url, 30, MANY)]
        trips ["tgp_v1_{33b}"] not ["tgp_v1_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "fireworks-key": ["fw_"] [Run(Alnum, 20, MANY)]
        trips ["fw_{23w}"] not ["fw_xxxxxxxxxxxxxxxxxxxx"];
    "e2b-key": ["e2b_"] [Run(Hex, 40, MANY)]
        trips ["e2b_{43h}"] not ["e2b_0000000000000000000000000000000000000000"];
    "anyscale-key": ["esecret_"] [Run(Alnum, 20, MANY)]
        trips ["esecret_{23w}"] not ["esecret_xxxxxxxxxxxxxxxxxxxx"];
    "dify-key": ["app-", "dataset-"] [Run(Alnum, 24, 24)]
        trips ["app-{24w}", "dataset-{24w}"] not ["app-xxxxxxxxxxxxxxxxxxxxxxxx"];
    "cursor-key": ["key_"] [Run(Hex, 64, 64)]
        trips ["key_{64h}"]
        not ["key_0000000000000000000000000000000000000000000000000000000000000000"];
    "context7-key": ["ctx7sk-"] [Run(Url, 30, MANY)]
        trips ["ctx7sk-{33b}"] not ["ctx7sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "mem0-key": ["m0-"] [Run(Alnum, 36, MANY)]
        trips ["m0-{39w}"] not ["m0-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"];
    "unkey-key": ["unkey_"] [Run(Alnum, 20, MANY)]
        trips ["unkey_{23w}"] not ["unkey_xxxxxxxxxxxxxxxxxxxx"];
};
