// fft.js, which comes next, is a CommonJS module; FFT is what it makes.
var module = {};
