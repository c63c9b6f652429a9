package nudge

import "encoding/json"

func (r *reader) hintSet(set *HintSet) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "component":
			set.Component = r.string()
		case "key":
			set.Key = r.string()
		case "hint":
			r.hint(&set.Hint)
		case "created":
			set.Created = r.bool()
		case "variants":
			set.Variants = r.int()
		case "proposal":
			if r.peek() == 'n' {
				r.null()
			} else {
				set.Proposal = new(Proposal)
				r.proposal(set.Proposal)
			}
		default:
			r.skip()
		}
	}
}

func (r *reader) hintMatch(match *HintMatch) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "component":
			match.Component = r.string()
		case "key":
			match.Key = r.string()
		case "hint":
			r.hint(&match.Hint)
		case "match_explain":
			r.explain(&match.MatchExplain)
		case "alternatives":
			match.Alternatives = r.ranked()
		default:
			r.skip()
		}
	}
}

func (r *reader) found(found *Found) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "hints":
			found.Hints = r.ranked()
		case "total":
			found.Total = r.int()
		case "scoped_out":
			found.ScopedOut = r.int()
		case "ineligible":
			var ineligible []Ineligible
			r.decode(&ineligible)
			found.Ineligible = ineligible
		default:
			r.skip()
		}
	}
}

func (r *reader) ranked() []Ranked {
	list := []Ranked{}
	for ok := r.open('['); ok && r.more(']'); {
		list = append(list, Ranked{})
		ranked := &list[len(list)-1]
		for ok := r.open('{'); ok && r.more('}'); {
			switch r.key() {
			case "component":
				ranked.Component = r.string()
			case "key":
				ranked.Key = r.string()
			case "hint":
				r.hint(&ranked.Hint)
			case "score":
				ranked.Score = r.float()
			case "match_explain":
				r.explain(&ranked.MatchExplain)
			default:
				r.skip()
			}
		}
	}
	return list
}

func (r *reader) deleted(deleted *Deleted) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "component":
			deleted.Component = r.string()
		case "key":
			deleted.Key = r.string()
		case "deleted":
			deleted.Deleted = r.bool()
		case "previous":
			deleted.Previous = r.hints()
		default:
			r.skip()
		}
	}
}

func (r *reader) bumped(bumped *Bumped) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "component":
			bumped.Component = r.string()
		case "key":
			bumped.Key = r.string()
		case "hint":
			r.hint(&bumped.Hint)
		default:
			r.skip()
		}
	}
}

func (r *reader) exported(exported *Exported) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "payload":
			exported.Payload = json.RawMessage(r.raw())
		case "secrets_left_out":
			exported.SecretsLeftOut = r.int()
		default:
			r.skip()
		}
	}
}

func (r *reader) explain(explain *MatchExplain) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "matched":
			explain.Matched = r.bool()
		case "score":
			explain.Score = r.float()
		case "reasons":
			explain.Reasons = r.texts()
		case "parts":
			r.parts(&explain.Parts)
		default:
			r.skip()
		}
	}
}

func (r *reader) parts(parts *Parts) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "frecency":
			parts.Frecency = r.float()
		case "priority":
			parts.Priority = r.float()
		case "confidence":
			parts.Confidence = r.float()
		case "specificity":
			parts.Specificity = r.float()
		case "recency":
			parts.Recency = r.float()
		default:
			r.skip()
		}
	}
}
