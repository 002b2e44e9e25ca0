package io.penstock.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a test class or method that needs programs from outside the JDK and Maven. If a program is missing, the test is skipped. The
 * summary at the end of the build then names the test and the package to install. With {@code CI=true} in the environment, the test fails
 * instead.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ProgramCondition.class)
public @interface NeedsProgram {
    /** The programs that the test needs. */
    Program[] value();
}
