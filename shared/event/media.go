package event

// OldImage is a Summary.Image, the old encoding of a picture
// (tensorboard/compat/proto/summary.proto).
type OldImage struct {
	Width, Height int32  // as the writer says; the picture itself may say otherwise
	Encoded       []byte // a part of what was decoded
}

// DecodeImage decodes a serialised Summary.Image.
func DecodeImage(b []byte) (m OldImage, err error) {
	err = fields(b, func(tag, v uint64, body []byte) {
		switch tag {
		case 1<<3 | 0:
			m.Height = int32(v)
		case 2<<3 | 0:
			m.Width = int32(v)
		case 4<<3 | 2:
			m.Encoded = body
		}
	})
	return m, err
}

// OldAudio is a Summary.Audio, the old encoding of a piece of sound.
type OldAudio struct {
	Encoded     []byte // a part of what was decoded
	ContentType string // as the writer says
}

// DecodeAudio decodes a serialised Summary.Audio.
func DecodeAudio(b []byte) (c OldAudio, err error) {
	err = fields(b, func(tag, _ uint64, body []byte) {
		switch tag {
		case 4<<3 | 2:
			c.Encoded = body
		case 5<<3 | 2:
			c.ContentType = string(body)
		}
	})
	return c, err
}
