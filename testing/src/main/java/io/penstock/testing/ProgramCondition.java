package io.penstock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** The JUnit condition that runs or skips tests with {@link NeedsProgram}. */
final class ProgramCondition implements ExecutionCondition {
    private final Predicate<Program> present;
    private final boolean ci;
    private final @Nullable Path skipped;

    /** Creates the condition. JUnit calls this constructor. */
    ProgramCondition() {
        this(
                program -> program.find().isPresent(),
                Boolean.parseBoolean(System.getenv("CI")),
                Optional.ofNullable(System.getProperty("tests.skipped"))
                        .map(Path::of)
                        .orElse(null));
    }

    /**
     * @param present returns whether a program is installed
     * @param ci whether a missing program is a failure
     * @param skipped the folder for one file per skipped test; the summary of the build reads the files; null outside Maven
     */
    ProgramCondition(Predicate<Program> present, boolean ci, @Nullable Path skipped) {
        this.present = present;
        this.ci = ci;
        this.skipped = skipped;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        ConditionEvaluationResult result = AnnotationSupport.findAnnotation(context.getElement(), NeedsProgram.class)
                .map(needs -> evaluate(name(context), needs.value()))
                .orElse(ConditionEvaluationResult.enabled("it needs no program"));
        // Surefire does not print the reason for a skipped test.
        result.getReason().filter(reason -> result.isDisabled()).ifPresent(System.out::println);
        return result;
    }

    private static String name(ExtensionContext context) {
        String tests = context.getRequiredTestClass().getName();
        return context.getTestMethod()
                .map(method -> tests + "." + method.getName())
                .orElse(tests);
    }

    /** @throws IllegalStateException if a required program is missing on a CI machine */
    ConditionEvaluationResult evaluate(String test, Program... needed) {
        List<Program> missing =
                Stream.of(needed).filter(present.negate()).sorted().toList();
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("all programs are there");
        }
        String line = "%s needs %s: install %s"
                .formatted(
                        test,
                        join(missing.stream().map(Program::toString)),
                        join(missing.stream().map(Program::debianPackage)));
        if (ci) {
            throw new IllegalStateException(line + " (with CI=true, no test is skipped)");
        }
        if (skipped != null) {
            write(skipped, test, line);
        }
        return ConditionEvaluationResult.disabled(line);
    }

    private static String join(Stream<String> names) {
        return names.distinct().collect(Collectors.joining(" "));
    }

    /**
     * Writes a file for a skipped test. Each test has its own file, because the tests of several modules and processes share the folder.
     */
    private static void write(Path folder, String test, String line) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(test + ".txt"), line + System.lineSeparator());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
