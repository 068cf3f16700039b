// The wheel of a mouse as the notches that one feels. A touchpad sends many small steps instead, which add up to notches.

/** How far a page scrolls with a notch, in pixels, and how far at least where browsers scroll less. */
const [NOTCH, LEAST] = [100, 50];
/** What a step is that is counted in pixels, lines or pages. */
const UNITS = [1, NOTCH / 3, NOTCH];
/** How long a wheel rests until what follows has nothing to do with what was before, in milliseconds. */
const REST = 60;

export class Wheel {
  constructor() {
    Object.assign(this, { sum: 0, time: -Infinity });
  }

  /** Whether an event of the wheel completes a notch: 1 towards oneself, −1 away from oneself, else 0. */
  notch({ deltaY, deltaMode, timeStamp }) {
    const step = deltaY * UNITS[deltaMode];
    const isAlone = timeStamp - this.time > REST;
    this.time = timeStamp;
    // Whoever turns back begins anew.
    this.sum = isAlone || Math.sign(step) !== Math.sign(this.sum) ? step : this.sum + step;
    if (Math.abs(this.sum) < (isAlone ? LEAST : NOTCH)) return 0;
    this.sum = 0;
    return Math.sign(step);
  }
}
