package io.penstock.admin;

import java.util.List;

/** Finds the application's method that a worker runs, in the worker's stack. */
final class ApplicationFrame {
    /** Packages that do not belong to the application: the JDK, the container and libraries. */
    private static final List<String> NOT_APPLICATION = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "jakarta.",
            "io.penstock.",
            "org.slf4j.",
            "org.apache.jasper.");

    /**
     * The packages of the sample application and of the benchmarks. They are applications, although their names begin with {@code
     * io.penstock.}.
     */
    private static final List<String> EXAMPLES = List.of("io.penstock.sample.", "io.penstock.peer.");

    private ApplicationFrame() {}

    /** The innermost frame of the application, such as {@code OrderDao.load}; empty if there is none. */
    static String of(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            String name = frame.getClassName();
            if (NOT_APPLICATION.stream().noneMatch(name::startsWith)
                    || EXAMPLES.stream().anyMatch(name::startsWith)) {
                return name.substring(name.lastIndexOf('.') + 1).replace('$', '.') + "." + frame.getMethodName();
            }
        }
        return "";
    }
}
