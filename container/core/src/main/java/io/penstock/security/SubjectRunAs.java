package io.penstock.security;

import io.penstock.context.RunAs;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.security.Principal;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Set;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Makes the run-as role of a servlet available to other systems that the servlet calls. For these systems, the role is the current {@link
 * Subject} of the Java platform. The servlet itself sees the user of the request (Servlet 6.1, section 13.3).
 */
public final class SubjectRunAs implements RunAs {

    @Override
    public void run(String role, Call call) throws ServletException, IOException {
        Subject subject = new Subject(true, Set.of(new Role(role)), Set.of(), Set.of());
        PrivilegedExceptionAction<@Nullable Void> action = () -> {
            call.run();
            return null;
        };
        try {
            Subject.doAs(subject, action);
        } catch (PrivilegedActionException e) {
            if (e.getException() instanceof IOException cause) {
                throw cause;
            }
            if (e.getException() instanceof ServletException cause) {
                throw cause;
            }
            throw new ServletException(e.getException());
        }
    }

    /** A role as a principal. */
    private record Role(String name) implements Principal {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
