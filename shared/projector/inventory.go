package projector

import (
	"encoding/json"

	"github.com/tensorbored/tensorbored-static/shared/projector/tensor"
)

// Inventory lists the tensors of a logdir, for who has no page: what is asked by "list".
func Inventory(port Port, files []Listed) (list []Tensor, problems []*tensor.Trouble, err error) {
	_, _, of, err := once(port, files)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range of["tensors"].([]any) {
		list = append(list, t.(Tensor))
	}
	return list, of["problems"].([]*tensor.Trouble), nil
}

// Points loads a tensor by its id, row by row.
func Points(port Port, files []Listed, id string) (rows, dims int64, points []float32, err error) {
	_, ask, _, err := once(port, files)
	if err != nil {
		return 0, 0, nil, err
	}
	a, err := ask(map[string]any{"do": "load", "tensor": id, "key": "a"}, nil)
	if err != nil {
		return 0, 0, nil, err
	}
	return int64(a["rows"].(int)), int64(a["dims"].(int)), a["points"].([]float32), nil
}

// once makes a Service that has listed files; ask puts further questions, with rows where it needs some.
func once(port Port, files []Listed) (s *Service, ask func(q map[string]any, rows []uint32) (Answer, error), listed Answer, err error) {
	var last Answer
	s = New(port, func(a Answer) { last = a })
	ask = func(q map[string]any, rows []uint32) (Answer, error) {
		body, err := json.Marshal(q)
		if err != nil {
			return nil, err
		}
		s.Ask(&Question{Body: body, Rows: rows})
		if wrong, ok := last["error"].(*tensor.Trouble); ok {
			return nil, wrong
		}
		return last["answer"].(Answer), nil
	}
	listed, err = ask(map[string]any{"do": "list", "files": files}, nil)
	return s, ask, listed, err
}
