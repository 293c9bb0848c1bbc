// Cyclic redundancy checks of 32 bits, the lowest bit first: zip's and gzip's, and that of event files.
"use strict";
// tbCrc gives, for a polynomial, what goes on with a sum over more bytes; a sum begins with 0.
globalThis.tbCrc ??= (polynomial) => {
  const shifts = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? n >>> 1 ^ polynomial : n >>> 1;
    return n;
  });
  return (sum, bytes) => {
    sum = ~sum;
    for (let i = 0; i < bytes.length; i++) sum = sum >>> 8 ^ shifts[(sum ^ bytes[i]) & 255];
    return ~sum >>> 0;
  };
};
