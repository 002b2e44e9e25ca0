package io.penstock.admin;

import java.util.List;

/** Where in the application a worker is. */
final class Places {
    /** Code that only leads to the application's, or away from it. */
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

    /** Applications that live beside the container: a visitor's first one, and those that others' servers are compared with. */
    private static final List<String> EXAMPLES = List.of("io.penstock.sample.", "io.penstock.peer.");

    private Places() {}

    /** The innermost frame of the application, such as {@code OrderDao.load}; empty if none is to be seen. */
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
