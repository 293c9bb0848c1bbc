package runtable

import (
	"strings"

	"github.com/tensorbored/tensorbored-static/shared/hparams"
)

// Which value of a metric is the best one.
const (
	Highest = "high"
	Lowest  = "low"
	NoBest  = "none"
)

// small and great are parts of names of metrics that are good when they are small, or
// great. The last of them in a name counts: "loss/accuracy" is an accuracy.
var small = []string{"loss", "error", "err", "mse", "mae", "rmse", "nll", "bce", "kl", "perplexity", "ppl", "bpb", "bpc", "wer", "cer", "fid", "latency", "regret", "rank", "distance", "divergence"}
var great = []string{"acc", "accuracy", "auc", "auroc", "auprc", "f1", "precision", "recall", "reward", "return", "score", "bleu", "rouge", "map", "iou", "dice", "psnr", "ssim", "r2", "top1", "top5", "elo", "success", "correct", "pass@1", "throughput"}

// Goal says by its name which value of a column is the best one: Highest, Lowest, or ""
// where the name does not tell. A step, and a hyperparameter, have no best one.
func (k Key) Goal() string {
	if !k.IsScalar() || strings.HasSuffix(k.Of, "step") {
		return ""
	}
	goal, last := "", -1
	low := strings.ToLower(k.Name)
	find := func(parts []string, means string) {
		for _, part := range parts {
			for from := 0; ; {
				at := strings.Index(low[from:], part)
				if at < 0 {
					break
				}
				at += from
				from = at + 1
				letter := func(i int) bool { return i >= 0 && i < len(low) && low[i] >= 'a' && low[i] <= 'z' }
				if end := at + len(part); !letter(at-1) && !letter(end) && end > last {
					goal, last = means, end
				}
			}
		}
	}
	find(small, Lowest)
	find(great, Highest)
	return goal
}

// Best returns which of rows have the best number of a column; nil where less than two of
// them have one, or all the same.
func (c *Column) Best(rows []int, goal string) map[int]bool {
	if goal != Highest && goal != Lowest {
		return nil
	}
	var best map[int]bool
	was, n := 0.0, 0
	for _, r := range rows {
		v := c.Cells[r]
		if v.Kind != hparams.Number || v.Num != v.Num {
			continue
		}
		n++
		switch {
		case best == nil || goal == Highest && v.Num > was || goal == Lowest && v.Num < was:
			best, was = map[int]bool{r: true}, v.Num
		case v.Num == was:
			best[r] = true
		}
	}
	if len(best) == n {
		return nil
	}
	return best
}
