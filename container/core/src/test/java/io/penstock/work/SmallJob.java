package io.penstock.work;

/** A job that ends immediately. */
final class SmallJob implements Job {
    volatile boolean done;

    @Override
    public void run() {
        done = true;
    }

    @Override
    public void abandon() {}
}
