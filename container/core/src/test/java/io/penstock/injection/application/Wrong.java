package io.penstock.injection.application;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;

/** Classes with annotations that the specification does not allow. */
public class Wrong {
    public static class StaticField {
        @Resource
        static String text;
    }

    public static class FinalField {
        @Resource
        final String text = null;
    }

    public static class NoSetter {
        @Resource
        void text(String given) {}
    }

    public static class TwoParameters {
        @Resource
        void setText(String given, String more) {}
    }

    public static class NamelessClass {
        @Resource(type = String.class)
        public static class Nameless {}
    }

    public static class TwoPostConstructs {
        @PostConstruct
        void one() {}

        @PostConstruct
        void two() {}
    }

    public static class PostConstructWithParameter {
        @PostConstruct
        void begin(String given) {}
    }

    public static class StaticPostConstruct {
        @PostConstruct
        static void begin() {}
    }
}
