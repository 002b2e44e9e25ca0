package io.penstock.standalone;

/** Starts the server from the command line. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.err.println("This build cannot serve anything yet.");
        System.exit(1);
    }
}
