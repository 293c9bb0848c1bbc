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
		}
	}
}

func TestBatchHeader(t *testing.T) {
	for _, want := range []BatchHeader{{0, 0}, {-1, -1}, {1 << 62, 3}} {
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
