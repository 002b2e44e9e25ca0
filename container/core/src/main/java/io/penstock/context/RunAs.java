package io.penstock.context;

import jakarta.servlet.ServletException;
import java.io.IOException;

/** Runs a servlet's methods in the role that its {@code run-as} names; implemented above. Thread: whichever runs the servlet. */
@FunctionalInterface
public interface RunAs {
    /** As if nothing had been said of roles. */
    RunAs NOBODY = (role, call) -> call.run();

    void run(String role, Call call) throws ServletException, IOException;

    /** A method of a servlet. */
    @FunctionalInterface
    interface Call {
        void run() throws ServletException, IOException;
    }
}
