package nudge

// Config is how a store is set up; what is left out has its default.
type Config struct {
	// Limits is how much the store may hold.
	Limits Limits `json:"limits,omitzero"`
	// SecretGuard says whether the secret guard is on; it is by default.
	SecretGuard *bool `json:"secret_guard,omitzero"`
	// DefaultTTL is the time to live of a hint that states none; by default `kept`, as far as its author
	// may say so.
	DefaultTTL string `json:"default_ttl,omitzero"`
	// Keep says whether hints may outlive the session, because the program stores them.
	Keep bool `json:"keep,omitzero"`
	// InContainer says whether a repository without a remote may be anybody's.
	InContainer bool `json:"in_container,omitzero"`
	// Weights is how hints are scored.
	Weights Weights `json:"weights,omitzero"`
	// SessionID is what exports call this session; made up when empty.
	SessionID string `json:"session_id,omitzero"`
}

// Limits is how much a store may hold. Expired hints do not count.
type Limits struct {
	// Components is the most components of one repository, or of none; 500 by default.
	Components int `json:"components,omitzero"`
	// HintsPerComponent is the most hints of one component in one repository, every variant counted;
	// 200 by default.
	HintsPerComponent int `json:"hints_per_component,omitzero"`
	// Hints is the most hints in all, every variant counted and what was learned left out; 5,000 by
	// default.
	Hints int `json:"hints,omitzero"`
	// ValueBytes is the most bytes of one value as JSON; 8 KiB by default.
	ValueBytes int `json:"value_bytes,omitzero"`
	// Bytes is the most bytes of memory, compiled scopes counted; 64 MiB by default, and 4 KiB for
	// each of Hints where that is more.
	Bytes int `json:"bytes,omitzero"`
}

// Weights is how much each term of the score weighs, and how fast use and age fade.
type Weights struct {
	// Frecency is the weight of how often and how lately a hint was used; 0.30 by default.
	Frecency *float64 `json:"frecency,omitzero"`
	// Priority is the weight of the priority; 0.20 by default.
	Priority *float64 `json:"priority,omitzero"`
	// Confidence is the weight of the confidence; 0.20 by default.
	Confidence *float64 `json:"confidence,omitzero"`
	// Specificity is the weight of how many conditions the scope states; 0.20 by default.
	Specificity *float64 `json:"specificity,omitzero"`
	// Recency is the weight of how lately a hint was set; 0.10 by default.
	Recency *float64 `json:"recency,omitzero"`
	// HalfUses is how many uses bring frecency half of the way to its best; 3 by default.
	HalfUses *float64 `json:"half_uses,omitzero"`
	// HalfLifeSeconds is after how long use and age count half; a day by default.
	HalfLifeSeconds *float64 `json:"half_life_seconds,omitzero"`
}
