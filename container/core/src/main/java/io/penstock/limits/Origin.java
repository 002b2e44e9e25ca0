package io.penstock.limits;

import java.nio.file.Path;

/** Where a configuration value came from; written as an operator would look for it. */
public sealed interface Origin {

    /** No value was given. */
    record ByDefault() implements Origin {
        @Override
        public String toString() {
            return "default";
        }
    }

    /** No value was given, and {@code penstock.jar} has a default of its own. */
    record OfJar() implements Origin {
        @Override
        public String toString() {
            return "default of penstock.jar";
        }
    }

    /** A line of a configuration file. */
    record File(Path path, int line) implements Origin {
        @Override
        public String toString() {
            return path + ":" + line;
        }
    }

    /** An environment variable. */
    record Environment(String variable) implements Origin {
        @Override
        public String toString() {
            return variable;
        }
    }

    /** An option or argument of the command line. */
    record Flag(String option) implements Origin {
        @Override
        public String toString() {
            return option;
        }
    }

    /** A place that the code which passes the value on describes. */
    record Told(String where) implements Origin {
        @Override
        public String toString() {
            return where;
        }
    }

    /** A call by the program that embeds the server. */
    record Code() implements Origin {
        @Override
        public String toString() {
            return "code";
        }
    }
}
