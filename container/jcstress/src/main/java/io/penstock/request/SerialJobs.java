package io.penstock.request;

/** Runs the jobs of a request one at a time, on the thread that adds the job. */
final class SerialJobs implements Callbacks {

    @Override
    public boolean isStarted() {
        return true;
    }

    @Override
    public void callback(Callback callback, ErrorCallback onError) {
        resume(() -> {
            try {
                callback.run();
            } catch (Exception e) {
                onError.failed(e);
            }
        });
    }

    @Override
    public synchronized void resume(Runnable job) {
        job.run();
    }
}
