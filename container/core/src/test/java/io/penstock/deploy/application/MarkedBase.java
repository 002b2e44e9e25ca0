package io.penstock.deploy.application;

/** A class with the annotation {@link Marked}. */
@Marked
public class MarkedBase {
    /** A class that inherits the annotation {@link Marked}. */
    public static class Heir extends MarkedBase {}
}
