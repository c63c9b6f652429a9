package nudge

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
			path.OS = words[OS](r.texts())
		case "abs":
			path.Abs = r.string()
		case "format":
			template.Format = TemplateFormat(r.string())
		case "body":
			template.Body = r.string()
		case "defaults":
			template.Defaults = r.tableOfString()
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
