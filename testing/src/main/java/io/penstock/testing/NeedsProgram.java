package io.penstock.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class or test method that needs programs which neither the JDK nor Maven brings. Where one of them is missing, the test is
 * skipped, and the summary at the end of the build names the test and what to install. Where the environment says {@code CI=true}, the test
 * fails instead.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ProgramCondition.class)
public @interface NeedsProgram {
    /** The programs; {@link Program#path} says where each of them is. */
    Program[] value();
}
