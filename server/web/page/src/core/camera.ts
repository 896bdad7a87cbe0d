// The camera that keeps a point of the board in the middle, whatever moves.

import type { GridViewport } from "./viewport.ts";

/** The time in which the camera covers all but a third of its way, in milliseconds: shorter than a turn at the default speed. */
const PACE = 90;
/** What is nearer than this to the middle, in pixels, is in the middle. */
const NEAR = 0.5;

/** Moves a viewport. Points are in the units of the plane. */
export class Camera {
  private goal: { x: number; y: number } | null = null;
  private at = { x: 0, y: 0 };
  private before = 0;

  constructor(private readonly view: GridViewport) {}

  /** Moves to a point and stays there. The way begins where the viewport is. */
  aim(x: number, y: number, atOnce: boolean): void {
    if (!this.goal) this.at = this.middle;
    this.goal = { x, y };
    if (atOnce) this.at = this.goal;
  }

  /** Lets the viewport stay where it is. */
  release(): void {
    this.goal = null;
  }

  /** Moves on; reports whether the viewport has changed. */
  tick(now: number): boolean {
    const passed = Math.max(0, now - this.before);
    this.before = now;
    const { goal, view } = this;
    if (!goal || view.width === 0) return false;
    const left = Math.exp(-passed / PACE);
    const { x, y } = this.at;
    const far = Math.hypot(goal.x - x, goal.y - y) * view.radius > NEAR;
    this.at = far ? { x: goal.x + (x - goal.x) * left, y: goal.y + (y - goal.y) * left } : goal;
    const middle = this.middle;
    if (Math.hypot(this.at.x - middle.x, this.at.y - middle.y) * view.radius <= NEAR) return false;
    const { originX, originY } = view;
    view.centre(this.at.x, this.at.y);
    return view.originX !== originX || view.originY !== originY; // the viewport keeps some of the board in view
  }

  private get middle(): { x: number; y: number } {
    const { width, height, leftInset, originX, originY, radius } = this.view;
    return { x: ((width + leftInset) / 2 - originX) / radius, y: (height / 2 - originY) / radius };
  }
}
