package htttx

import "strconv"

// Append appends the capabilities in the form in which a bot serves them, without the
// warnings.
func (c Capabilities) Append(dst []byte) []byte {
	dst = append(dst, `{"meta":{`...)
	dst = c.Meta.appendFields(dst)
	dst = append(dst, '}')
	if s := c.Socket; s != nil {
		dst = append(dst, `,"basic_websocket":{"versions":{"v1-alpha":{`...)
		dst = appendString(append(dst, `"api_root":`...), s.APIRoot)
		for _, f := range s.flags() {
			dst = appendFlag(dst, f.name, *f.flag)
		}
		if s.Config {
			dst = append(dst, `,"config":{"dynamic":`...)
			dst = append(strconv.AppendBool(dst, s.DynamicConfig), '}')
		}
		dst = append(dst, "}}}"...)
	}
	if s := c.Stateless; s != nil {
		dst = append(dst, `,"stateless":{"versions":{"v1-alpha":{`...)
		dst = appendString(append(dst, `"api_root":`...), s.APIRoot)
		dst = appendFlag(dst, "move_time_limit", s.MoveTimeLimit)
		dst = append(appendFlag(dst, "request_id", s.RequestID), "}}}"...)
	}
	return append(dst, '}')
}

func appendFlag(dst []byte, name string, set bool) []byte {
	if !set {
		return dst
	}
	dst = append(append(dst, `,"`...), name...)
	return append(dst, `":true`...)
}

func (m Meta) appendFields(dst []byte) []byte {
	dst = appendString(append(dst, `"name":`...), m.Name)
	for _, f := range [...]struct{ key, text string }{
		{`,"description":`, m.Description}, {`,"version":`, m.Version},
	} {
		if f.text != "" {
			dst = appendString(append(dst, f.key...), f.text)
		}
	}
	for _, f := range [...]struct {
		key   string
		texts []string
	}{{`,"authors":[`, m.Authors}, {`,"tags":[`, m.Tags}} {
		for i, text := range f.texts {
			if i == 0 {
				dst = append(dst, f.key...)
			} else {
				dst = append(dst, ',')
			}
			dst = appendString(dst, text)
		}
		if len(f.texts) > 0 {
			dst = append(dst, ']')
		}
	}
	return dst
}
