package io.penstock.standalone;

import io.penstock.limits.Configuration;
import java.io.PrintWriter;
import java.util.List;

/** A server that runs until it is told to end. */
record Serving(Configuration configuration, List<Application> applications, PrintWriter out) implements Runnable {

    @Override
    public void run() {
        throw new OperatorException(ExitCode.START_FAILED, "this build cannot serve anything yet", null);
    }
}
