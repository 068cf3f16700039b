// The wheel of a mouse as notches. A touchpad sends many small steps instead, which add up to notches.

/** Scroll distance of a notch, and its minimum in some browsers, in pixels. */
const [NOTCH, MIN_NOTCH] = [100, 50];
/** Pixels of a step in pixels, lines or pages. */
const UNITS = [1, NOTCH / 3, NOTCH];
/** Pause after which a turn starts from zero, in milliseconds. */
const REST = 60;

export class Wheel {
  constructor() {
    Object.assign(this, { sum: 0, time: -Infinity });
  }

  /** Returns 1 or −1 if an event completes a notch towards or away from the user, else 0. */
  notch({ deltaY, deltaMode, timeStamp }) {
    const step = deltaY * UNITS[deltaMode];
    const isFirst = timeStamp - this.time > REST;
    this.time = timeStamp;
    // A turn in the other direction starts from zero.
    this.sum = isFirst || Math.sign(step) !== Math.sign(this.sum) ? step : this.sum + step;
    if (Math.abs(this.sum) < (isFirst ? MIN_NOTCH : NOTCH)) return 0;
    this.sum = 0;
    return Math.sign(step);
  }
}
