package io.penstock.limits;

import java.nio.file.Path;

/** Where a configuration value came from; written as an operator would look for it. */
public sealed interface Origin {

    /** Nobody gave a value. */
    record ByDefault() implements Origin {
        @Override
        public String toString() {
            return "default";
        }
    }

    /** Nobody gave a value, and {@code penstock.jar} has a default of its own. */
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

    /** Somebody who passed the value on, and says where it is from. */
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
