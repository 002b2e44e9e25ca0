package io.penstock.loadtest.io.measure;

/** Hears each measurement as it is made, so that what is known so far stands on the screen. */
@FunctionalInterface
public interface Progress {
    void line(String text);
}
