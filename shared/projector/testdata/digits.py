"""Writes digits.npz (scikit-learn's digits: 1797 pictures of 8 × 8) and digits.json: how trustworthy the maps of
scikit-learn and umap-learn are, and what PCA finds. Needs scikit-learn, umap-learn. Run in this directory.
"""
import json
import numpy as np, sklearn, umap
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE, trustworthiness

d = load_digits()
x = d.data.astype("uint8")
np.savez_compressed("digits.npz", x=x, y=d.target.astype("uint8"))
p = PCA(10, svd_solver="full").fit(x)
out = {
    "sklearn": sklearn.__version__, "umap": umap.__version__,
    "pca": {"variance": p.explained_variance_ratio_.tolist(), "first": np.abs(p.transform(x[:5])).tolist()},
    "trustworthiness of rows 0, 1 as a map": trustworthiness(x[:300], x[:300, 10:12].astype(float), n_neighbors=12),
}
for dims in (2, 3):
    out[f"tsne{dims}"] = trustworthiness(x, TSNE(dims, random_state=1, perplexity=30).fit_transform(x.astype("float32")), n_neighbors=12)
    out[f"umap{dims}"] = trustworthiness(x, umap.UMAP(n_components=dims, random_state=1).fit_transform(x.astype("float32")), n_neighbors=12)
json.dump(out, open("digits.json", "w"), indent=1)
