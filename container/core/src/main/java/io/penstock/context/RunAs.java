package io.penstock.context;

import jakarta.servlet.ServletException;
import java.io.IOException;

/**
 * Runs a servlet's methods in the role of its {@code run-as}. The package {@code security} implements this interface. Thread: the thread
 * that calls the servlet.
 */
@FunctionalInterface
public interface RunAs {
    /** Ignores roles. */
    RunAs NOBODY = (role, call) -> call.run();

    void run(String role, Call call) throws ServletException, IOException;

    /** A method of a servlet. */
    @FunctionalInterface
    interface Call {
        void run() throws ServletException, IOException;
    }
}
