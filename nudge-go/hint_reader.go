package nudge

// hints reads one hint, or a list of them.
func (r *reader) hints() Hints {
	if r.peek() == '{' {
		hints := make(Hints, 1)
		r.hint(&hints[0])
		return hints
	}
	hints := Hints{}
	for ok := r.open('['); ok && r.more(']'); {
		hints = append(hints, Hint{})
		r.hint(&hints[len(hints)-1])
	}
	return hints
}

func (r *reader) hint(hint *Hint) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "value":
			hint.Value = r.value()
		case "meta":
			r.meta(&hint.Meta)
		case "version":
			hint.Version = r.uint()
		case "created_at":
			hint.CreatedAt = r.time()
		case "updated_at":
			hint.UpdatedAt = r.time()
		case "last_used_at":
			hint.LastUsedAt = r.time()
		case "use_count":
			hint.UseCount = r.uint()
		case "fail_count":
			hint.FailCount = r.uint()
		case "first_failed_at":
			hint.FirstFailedAt = r.time()
		case "last_failed_at":
			hint.LastFailedAt = r.time()
		default:
			r.skip()
		}
	}
}

func (r *reader) meta(meta *Meta) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "reason":
			meta.Reason = r.string()
		case "tags":
			meta.Tags = r.texts()
		case "priority":
			meta.Priority = r.int()
		case "confidence":
			if r.peek() == 'n' {
				r.null()
			} else {
				meta.Confidence = Ptr(r.float())
			}
		case "ttl":
			meta.TTL = r.string()
		case "sensitivity":
			meta.Sensitivity = Sensitivity(r.string())
		case "scope":
			r.scope(&meta.Scope)
		case "source":
			meta.Source = Source(r.string())
		case "added_by":
			meta.AddedBy = r.string()
		case "origin":
			if r.peek() == 'n' {
				r.null()
			} else {
				meta.Origin = r.origin()
			}
		default:
			r.skip()
		}
	}
}

func (r *reader) origin() *Origin {
	origin := new(Origin)
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "via":
			origin.Via = r.string()
		case "client":
			origin.Client = r.string()
		case "repo":
			origin.Repo = r.string()
		case "at":
			origin.At = r.time()
		case "replaced":
			if r.peek() == 'n' {
				r.null()
			} else {
				origin.Replaced = r.replaced()
			}
		default:
			r.skip()
		}
	}
	return origin
}

func (r *reader) replaced() *Replaced {
	replaced := new(Replaced)
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "via":
			replaced.Via = r.string()
		case "client":
			replaced.Client = r.string()
		default:
			r.skip()
		}
	}
	return replaced
}

func (r *reader) scope(scope *Scope) {
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "cwd_glob":
			scope.CwdGlob = r.texts()
		case "repo":
			scope.Repo = r.texts()
		case "branch":
			scope.Branch = r.texts()
		case "os":
			scope.OS = r.systems()
		case "env_required":
			scope.EnvRequired = r.texts()
		case "env_match":
			// Of its own, because what encoding/json is given moves to the
			// heap, and the scope would take the whole hint along.
			var names map[string][]string
			r.decode(&names)
			scope.EnvMatch = names
		default:
			r.skip()
		}
	}
}

// value reads a value of any kind; nil for null.
func (r *reader) value() Value {
	switch r.peek() {
	case '"':
		return Text(r.string())
	case '{':
		return r.object()
	}
	if raw := r.raw(); raw != "null" {
		return Unknown(raw)
	}
	return nil
}

// object reads a value that is an object. Its kind may come last.
func (r *reader) object() Value {
	start := r.at
	var kind, data string
	var command Command
	var path Path
	var template Template
	for ok := r.open('{'); ok && r.more('}'); {
		switch r.key() {
		case "type":
			kind = r.string()
		case "shell":
			command.Shell = Shell(r.string())
		case "cmd":
			command.Cmd = r.string()
		case "os":
			path.OS = r.systems()
		case "abs":
			path.Abs = r.string()
		case "format":
			template.Format = TemplateFormat(r.string())
		case "body":
			template.Body = r.string()
		case "defaults":
			var defaults map[string]string
			r.decode(&defaults)
			template.Defaults = defaults
		case "data":
			data = r.raw()
		default:
			r.skip()
		}
	}
	switch kind {
	case "command":
		return command
	case "path":
		return path
	case "template":
		return template
	case "json":
		if data != "" {
			return JSON(data)
		}
	}
	return Unknown(r.text[start:r.at])
}
