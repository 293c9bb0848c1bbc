// Package runs keeps the table of runs up to date in the page: it asks the workers for
// the hyperparameters and the numbers that its columns need, and nothing as long as no
// column is wanted. The run list and the dashboard of hyperparameters show it.
package runs
