// Labels in a column, moved apart.

/**
 * Returns places for labels that are wanted at the given ones, in ascending order: at least
 * step apart, or evenly if there is no room for that, and none beyond top or bottom.
 */
export function spread(
  wanted: readonly number[],
  step: number,
  top: number,
  bottom: number,
): number[] {
  const places = [...wanted];
  const apart = Math.min(step, (bottom - top) / Math.max(1, places.length - 1));
  for (let i = 0; i < places.length; i++)
    places[i] = Math.max(places[i], i > 0 ? places[i - 1] + apart : top);
  for (let i = places.length - 1, floor = bottom; i >= 0; i--, floor -= apart)
    places[i] = Math.min(places[i], floor);
  return places;
}
