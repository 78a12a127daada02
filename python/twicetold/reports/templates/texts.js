  /* Whole texts, one beside the other: all folded ones open and close at once. */
  const button = all(".unfold button")[0];
  const folded = all("details");
  button.hidden = folded.length === 0;
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-pressed") !== "true";
    for (const each of folded) each.open = open;
    button.setAttribute("aria-pressed", String(open));
    button.textContent = open ? "Fold long texts" : "Unfold every text";
  });
