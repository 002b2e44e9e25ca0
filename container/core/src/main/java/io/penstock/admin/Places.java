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

    private Places() {}

    /** The innermost frame of the application, such as {@code OrderDao.load}; empty if none is to be seen. */
    static String of(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack) {
            if (OTHERS.stream().noneMatch(frame.getClassName()::startsWith)) {
                String name = frame.getClassName();
                return name.substring(name.lastIndexOf('.') + 1).replace('$', '.') + "." + frame.getMethodName();
            }
        }
        return "";
    }
}
