package io.penstock.limits;

import java.nio.file.Path;

/** The origin of a configuration value, in words for operators. */
public sealed interface Origin {

    /** No value was given, so the default applies. */
    record ByDefault() implements Origin {
        @Override
        public String toString() {
            return "default";
        }
    }

    /** No value was given, so the default of {@code penstock.jar} applies. */
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

    /** An option or an argument of the command line. */
    record Flag(String option) implements Origin {
        @Override
        public String toString() {
            return option;
        }
    }

    /** Another origin. The code that sets the value supplies the description. */
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
