// Ünïcödé in comments: ∀x∈ℝ ⌈x⌉ 日本語 🎉
model A "Grüße aus Wien"
  Real x "Temperatur in °C";
  String s = "日本語 🎉 \"ß\"";
  /* Ω */ Real y;
end A;
