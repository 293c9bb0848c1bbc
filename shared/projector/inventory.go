package projector

import (
	"encoding/json"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// Inventory lists the tensors of a logdir, for who has no page: what is asked by "list".
func Inventory(port Port, files []Listed) (list []Tensor, problems []*tensor.Trouble, err error) {
	body, err := json.Marshal(map[string]any{"id": 1, "do": "list", "files": files})
	if err != nil {
		return nil, nil, err
	}
	s := New(port, func(a Answer) {
		if wrong, ok := a["error"].(*tensor.Trouble); ok {
			err = wrong
		}
		of, ok := a["answer"].(Answer)
		if !ok {
			return
		}
		for _, t := range of["tensors"].([]any) {
			list = append(list, t.(Tensor))
		}
		problems = of["problems"].([]*tensor.Trouble)
	})
	s.Ask(&Question{Body: body})
	return list, problems, err
}
