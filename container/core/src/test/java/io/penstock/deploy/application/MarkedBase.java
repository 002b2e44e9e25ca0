package io.penstock.deploy.application;

/** Carries the mark itself. */
@Marked
public class MarkedBase {
    /** Has it from there. */
    public static class Heir extends MarkedBase {}
}
