package io.penstock.admin;

import java.util.List;

/** Finds the place in the application where a worker is. */
final class ApplicationFrame {
    /** Packages of code that calls the application or is called by it. */
    private static final List<String> OTHERS = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "jakarta.",
            "io.penstock.",
            "org.slf4j.",
            "org.apache.jasper.");

    /** Applications in the packages of the container: the example, and those of the benchmarks. */
    private static final List<String> EXAMPLES = List.of("io.penstock.sample.", "io.penstock.peer.");

    private ApplicationFrame() {}

    /** The innermost frame of the application, such as {@code OrderDao.load}; empty without one. */
    static String of(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            String name = frame.getClassName();
            if (OTHERS.stream().noneMatch(name::startsWith) || EXAMPLES.stream().anyMatch(name::startsWith)) {
                return name.substring(name.lastIndexOf('.') + 1).replace('$', '.') + "." + frame.getMethodName();
            }
        }
        return "";
    }
}
