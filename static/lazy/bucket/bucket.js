// Makes listings of buckets that are open to everybody, so that the page reads them without
// a server: S3 and what speaks as it does, Google Cloud Storage (ListBucketResult), and
// Azure Blob Storage (EnumerationResults). Loaded when the address of a listing is answered
// with XML.
//
// tbBucket(answer, address) takes the first page of the store's listing and asks for those
// that follow. It resolves with a Response that is the listing as shared/api has it, or the
// store's answer where that is an error. A listing that breaks off is an error: what is not
// listed would look as if it were gone.
"use strict";
{
  const most = 1_000_000; // objects that are looked at: a thousand requests
  const slowly = 4; // a listing is made again when so many times as long has passed as it took
  const kept = new Map(); // by address: the last listing, and until when it is given out again

  const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  const plain = (text) => text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/gi, (_, hex, number, name) =>
    name ? entities[name.toLowerCase()] : String.fromCodePoint(hex ? parseInt(hex, 16) : +number));
  const field = (xml, name) => plain(new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1] ?? "");

  // kind is api.KindOf: a test holds the two against each other.
  const kind = (dir, name, besideConfig) => {
    if (name.includes("tfevents")) return "event";
    const dot = name.lastIndexOf("."), ext = dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
    const graph = ["pb", "pbtxt", "onnx"].includes(ext) ? name !== "projector_config.pbtxt"
      : ext === "json" && /model|keras|architecture/i.test(name);
    const companion = ["projector_config.pbtxt", "hparams.yaml", "checkpoint"].includes(name) ||
      ["tsv", "bytes", "index", "npy", "npz", "safetensors"].includes(ext) || ext.startsWith("ckpt-") ||
      ext.startsWith("data-") && ext.includes("-of-") || graph ||
        dir === ".tensorboard" && ["json", "tbdigest"].includes(ext) ||
      besideConfig && ["txt", "csv", "json", "bin"].includes(ext) ||
      ["png", "jpg", "jpeg"].includes(ext) && (besideConfig || name.startsWith("sprite"));
    return companion ? "companion" : "";
  };

  // pageOf reads one page of a store's listing; null where it is something else.
  const pageOf = (xml) => {
    const root = /<(ListBucketResult|EnumerationResults)[\s>]/.exec(xml)?.[1];
    if (!root) return null;
    if (!xml.trimEnd().endsWith(`</${root}>`)) throw new Error("the listing of the bucket breaks off");
    const azure = root === "EnumerationResults", objects = [];
    const name = field(xml, "EncodingType") === "url" ? (key) => decodeURIComponent(key.replaceAll("+", " "))
      : (key) => key;
    for (const [, one] of xml.matchAll(azure ? /<Blob>(.*?)<\/Blob>/gs : /<Contents>(.*?)<\/Contents>/gs)) {
      objects.push({
        key: name(field(one, azure ? "Name" : "Key")),
        size: +field(one, azure ? "Content-Length" : "Size"),
        mtime: Date.parse(field(one, azure ? "Last-Modified" : "LastModified")) || 0,
        tag: field(one, azure ? "Etag" : "ETag").replace(/^"|"$/g, ""),
      });
    }
    let next;
    const token = field(xml, "NextContinuationToken");
    if (azure) {
      if (field(xml, "NextMarker")) next = ["marker", field(xml, "NextMarker")];
    } else if (field(xml, "IsTruncated") === "true") {
      next = token ? ["continuation-token", token] : ["marker", name(field(xml, "NextMarker")) || objects.at(-1)?.key];
      if (!next[1]) throw new Error("the listing of the bucket breaks off");
    }
    return { objects, next };
  };

  const hash = (text) => {
    let a = 0x811c9dc5, b = 0x1b873593;
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
      b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b);
    }
    return (a >>> 0).toString(36) + (b >>> 0).toString(36);
  };

  const valid = (path) => !path.includes("\0") &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..");

  // listing makes the listing of all objects: paths below the folder that the prefix names.
  const listing = (address, folder, objects, more) => {
    const files = [], problems = [], configs = new Set();
    for (const { key, size, mtime, tag } of objects) {
      const path = key.slice(folder.length), slash = path.lastIndexOf("/");
      if (path === "" || path.endsWith("/")) continue; // what consoles make for folders
      const dir = path.slice(0, slash + 1), name = path.slice(slash + 1), last = dir.split("/").at(-2) ?? "";
      const sure = kind(last, name, false), perhaps = sure || kind(last, name, true);
      if (!perhaps) continue;
      if (!valid(path)) {
        if (problems.length < 200) {
          problems.push({ path,
            error: "a browser cannot ask for this name: rename it, or read the bucket through the server" });
        }
        continue;
      }
      if (name === "projector_config.pbtxt") configs.add(dir);
      files.push({ dir, sure,
        file: { path, size, mtime, kind: perhaps, ...(tag && !tag.startsWith("W/") && { version: tag }) } });
    }
    if (more) {
      problems.push({ path: ".",
        error: `the listing ends after ${most} objects, and what comes after is not shown: name a folder further ` +
        `down by prefix=` });
    }
    const base = address.origin + address.pathname.replace(/\/?$/, "/") +
      folder.split("/").map(encodeURIComponent).join("/");
    const l = { version: 1, logdir: address.host + address.pathname.replace(/\/$/, "") + "/" + folder, base };
    l.files = files.filter(({ dir, sure }) => sure || configs.has(dir)).map(({ file }) => file);
    l.problems = problems;
    return l;
  };

  const answer = ({ text, etag }) => new Response(text,
    { headers: { "Content-Type": "application/json", ETag: etag } });

  globalThis.tbBucket = async (first, at) => {
    const address = new URL(at), prefix = address.searchParams.get("prefix") ?? "", begun = performance.now();
    const last = kept.get(at);
    if (last && begun < last.until) {
      first.body?.cancel();
      return answer(last);
    }
    const objects = [];
    let more;
    for (let response = first; ;) {
      if (!response.ok) return response;
      const xml = await response.text(), page = pageOf(xml);
      if (!page && response === first) return new Response(xml, { headers: { "Content-Type": "text/html" } });
      if (!page) throw new Error("the listing of the bucket breaks off");
      objects.push(...page.objects);
      more = page.next && objects.length >= most;
      if (!page.next || more) break;
      const next = new URL(address);
      next.searchParams.set(page.next[0], page.next[1]);
      if (response.url === next.href) throw new Error("the listing of the bucket goes round in a circle");
      response = await fetch(next, { cache: "no-cache", credentials: "same-origin" });
    }
    const text = JSON.stringify(listing(address, prefix.slice(0, prefix.lastIndexOf("/") + 1), objects, more));
    const took = performance.now() - begun;
    const l = { text, etag: `"${hash(text)}"`, until: took < 1000 ? 0 : performance.now() + slowly * took };
    kept.set(at, l);
    return answer(l);
  };
  globalThis.tbBucket.kind = kind;
}
