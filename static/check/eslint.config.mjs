// What the checker of types does not see. No rule is about looks; lines are 120 columns wide at
// most (static/pack has the test).
const rules = [
  "array-callback-return", "constructor-super", "eqeqeq", "for-direction", "getter-return", "no-class-assign",
  "no-compare-neg-zero", "no-const-assign", "no-constant-binary-expression", "no-constructor-return", "no-debugger",
  "no-dupe-args", "no-dupe-class-members", "no-dupe-else-if", "no-dupe-keys", "no-duplicate-case",
  "no-empty-character-class", "no-eval", "no-ex-assign", "no-fallthrough", "no-func-assign", "no-implied-eval",
  "no-invalid-regexp", "no-irregular-whitespace", "no-loss-of-precision", "no-misleading-character-class",
  "no-new-func", "no-new-wrappers", "no-obj-calls", "no-prototype-builtins", "no-regex-spaces", "no-self-assign",
  "no-sparse-arrays", "no-template-curly-in-string", "no-this-before-super", "no-throw-literal",
  "no-unexpected-multiline", "no-unreachable", "no-unsafe-finally", "no-unsafe-negation",
  "no-unsafe-optional-chaining", "no-unused-labels", "no-useless-backreference", "no-useless-catch",
  "no-useless-escape", "no-useless-rename", "no-var", "no-with", "prefer-rest-params", "prefer-spread", "use-isnan",
  "valid-typeof",
];
export default [
  { ignores: ["**/*.min.js", "static/dist/**", "static/vendor/**", "static/lazy/markdown/marked.umd.js",
    "static/lazy/sound/fft.js", "static/lazy/zip/client-zip.js", "bin/**", "tmp/**"] },
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: { ecmaVersion: "latest", sourceType: "script" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...Object.fromEntries(rules.map((name) => [name, "error"])),
      // What catches or takes an argument need not look at it. tbHub is other scripts'.
      "no-unused-vars": ["error",
        { args: "none", caughtErrors: "none", ignoreRestSiblings: true, varsIgnorePattern: "^tbHub$" }],
    },
  },
  // Go's wasm_exec.js, and what a test compares with, are text that becomes a script; fft.js, which
  // follows sound/begin.js, is a CommonJS module.
  { files: ["static/plugin/back.js", "wasm/e2e/testdata/peer/**"], rules: { "no-eval": "off", "no-new-func": "off" } },
  { files: ["static/lazy/sound/begin.js"], rules: { "no-var": "off", "no-unused-vars": "off" } },
  { files: ["shared/tbplugin/**", "**/*.mjs"], languageOptions: { sourceType: "module" } },
];
