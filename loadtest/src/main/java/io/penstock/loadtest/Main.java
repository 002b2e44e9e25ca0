package io.penstock.loadtest;

/** Starts a load test from the command line. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.err.println("This build cannot measure anything yet.");
        System.exit(1);
    }
}
