package nudge

import "strconv"

// Config is how a store is set up; what is left out has its default.
type Config struct {
	// Limits is how much the store may hold.
	Limits Limits `json:"limits"`
	// SecretGuard says whether the secret guard is on; it is by default.
	SecretGuard *bool `json:"secret_guard"`
	// DefaultTTL is the time to live of a hint that states none; by default `kept`, as far as its author
	// may say so.
	DefaultTTL string `json:"default_ttl"`
	// Keep says whether hints may outlive the session, because the program stores them.
	Keep bool `json:"keep"`
	// InContainer says whether a repository without a remote may be anybody's.
	InContainer bool `json:"in_container"`
	// Weights is how hints are scored.
	Weights Weights `json:"weights"`
	// SessionID is what exports call this session; made up when empty.
	SessionID string `json:"session_id"`
}

// Limits is how much a store may hold. Expired hints do not count.
type Limits struct {
	// Components is the most components of one repository, or of none; 500 by default.
	Components int `json:"components"`
	// HintsPerComponent is the most hints of one component in one repository, every variant counted;
	// 200 by default.
	HintsPerComponent int `json:"hints_per_component"`
	// Hints is the most hints in all, every variant counted and what was learned left out; 5,000 by
	// default.
	Hints int `json:"hints"`
	// ValueBytes is the most bytes of one value as JSON; 8 KiB by default.
	ValueBytes int `json:"value_bytes"`
	// Bytes is the most bytes of memory, compiled scopes counted; 64 MiB by default, and 4 KiB for
	// each of Hints where that is more.
	Bytes int `json:"bytes"`
}

// Weights is how much each term of the score weighs, and how fast use and age fade.
type Weights struct {
	// Frecency is the weight of how often and how lately a hint was used; 0.30 by default.
	Frecency *float64 `json:"frecency"`
	// Priority is the weight of the priority; 0.20 by default.
	Priority *float64 `json:"priority"`
	// Confidence is the weight of the confidence; 0.20 by default.
	Confidence *float64 `json:"confidence"`
	// Specificity is the weight of how many conditions the scope states; 0.20 by default.
	Specificity *float64 `json:"specificity"`
	// Recency is the weight of how lately a hint was set; 0.10 by default.
	Recency *float64 `json:"recency"`
	// HalfUses is how many uses bring frecency half of the way to its best; 3 by default.
	HalfUses *float64 `json:"half_uses"`
	// HalfLifeSeconds is after how long use and age count half; a day by default.
	HalfLifeSeconds *float64 `json:"half_life_seconds"`
}

func (c Config) write(w *writer) {
	start := w.open()
	w.name("limits")
	c.Limits.write(w)
	if c.SecretGuard != nil {
		w.name("secret_guard")
		w.json = strconv.AppendBool(w.json, *c.SecretGuard)
	}
	w.optional("default_ttl", c.DefaultTTL)
	w.flag("keep", c.Keep)
	w.flag("in_container", c.InContainer)
	w.name("weights")
	c.Weights.write(w)
	w.optional("session_id", c.SessionID)
	w.close(start, "{}")
}

func (l Limits) write(w *writer) {
	start := w.open()
	w.integer("components", l.Components)
	w.integer("hints_per_component", l.HintsPerComponent)
	w.integer("hints", l.Hints)
	w.integer("value_bytes", l.ValueBytes)
	w.integer("bytes", l.Bytes)
	w.close(start, "{}")
}

func (weights Weights) write(w *writer) {
	start := w.open()
	w.number("frecency", weights.Frecency)
	w.number("priority", weights.Priority)
	w.number("confidence", weights.Confidence)
	w.number("specificity", weights.Specificity)
	w.number("recency", weights.Recency)
	w.number("half_uses", weights.HalfUses)
	w.number("half_life_seconds", weights.HalfLifeSeconds)
	w.close(start, "{}")
}
