package api

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestBatchRequest(t *testing.T) {
	var want []Range
	for i, p := range odd {
		want = append(want, Range{p, int64(i) << 50, int64(i)})
	}
	got, err := ParseBatchRequest(AppendBatchRequest(nil, want))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestBatchRequestRefused(t *testing.T) {
	var batch *BatchError
	for _, text := range []string{
		`{"ranges":[{"path":"a","offset":-1,"length":1}]}`,
		`{"ranges":[{"path":"a","offset":1,"length":-1}]}`,
		string(AppendBatchRequest(nil, make([]Range, MaxBatchRanges+1))),
	} {
		if _, err := ParseBatchRequest([]byte(text)); !errors.As(err, &batch) {
			t.Errorf("%.60s: %v", text, err)
		}
	}
	if _, err := ParseBatchRequest(AppendBatchRequest(nil, make([]Range, MaxBatchRanges))); err != nil {
		t.Error(err)
	}
	var syntax *SyntaxError
	for _, text := range []string{"", "[]", `{"ranges":1}`, `{"ranges":[{"path":1}]}`, strings.Repeat("[", 1e5)} {
		if _, err := ParseBatchRequest([]byte(text)); !errors.As(err, &syntax) {
			t.Errorf("%.60s: %v", text, err)
		} else if got := err.Error(); !strings.Contains(got, "batch request") || strings.Contains(got, "listing") {
			t.Errorf("%.60s is called %s", text, got)
		}
	}
}

func TestBatchHeader(t *testing.T) {
	for _, want := range []BatchHeader{{0, 0, 0}, {-1, -1, 0}, {1 << 62, 3, 1<<64 - 1}} {
		data := append(want.Append(nil), "rest"...)
		got, rest, ok := CutBatchHeader(data)
		if !ok || got != want || string(rest) != "rest" {
			t.Errorf("got %+v, %q, %v, want %+v", got, rest, ok, want)
		}
		if _, _, ok := CutBatchHeader(data[:BatchHeaderSize-1]); ok {
			t.Error("a short header was accepted")
		}
	}
}

// A header stands before the answer to its range, or before none.
func TestBatchHeaderAnswers(t *testing.T) {
	r := Range{Offset: 100, Length: 50}
	for _, c := range []struct {
		count, size int64
		want        bool
	}{
		{50, 1000, true}, {50, 150, true}, {49, 149, true}, {0, 100, true}, {0, 0, true}, {-1, -1, true},
		{49, 150, false}, {50, 149, false}, {51, 1000, false}, {1, 100, false}, {0, 1000, false},
		{-1, 5, false}, {5, -1, false}, {-2, -2, false}, {-1 << 63, -1 << 63, false}, {1<<63 - 1, 1<<63 - 1, false},
		{0x88b1f, 0x6c31_1cd8_ff04, false}, // as gzip begins
	} {
		if h := (BatchHeader{c.count, c.size, 0}); h.Answers(r) != c.want {
			t.Errorf("%+v: %v", h, !c.want)
		}
	}
}
