# The numerators of many templates over small shifts with PyTorch, on data that lie on the card, of each template its own part of each frame: by a grouped
# convolution, and by Fourier transforms of all of them. Arguments, for each set: width, height, templates, lags along x and y, frames. Medians of 5.
import statistics
import sys
import time


def median_ms(work, wait):
    work()
    wait()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        wait()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def times(sets):
    import torch
    torch.backends.cudnn.allow_tf32 = False
    wait = torch.cuda.synchronize

    def grouped(parts, templates):
        return torch.nn.functional.conv2d(parts, templates, groups=templates.shape[0])

    def fourier(parts, templates):
        extents = [smooth(n) for n in parts.shape[-2:]]
        spectra = torch.fft.rfft2(templates[:, 0] - templates[:, 0].mean((-2, -1), keepdim=True), extents).conj()
        lags = [p - t + 1 for p, t in zip(parts.shape[-2:], templates.shape[-2:])]
        return torch.fft.irfft2(torch.fft.rfft2(parts, extents) * spectra, extents)[..., :lags[0], :lags[1]]

    for width, height, count, across, down, frames in sets:
        parts = torch.rand((frames, count, height + down - 1, width + across - 1), device="cuda")
        templates = torch.rand((count, 1, height, width), device="cuda")
        said = f"PyTorch {torch.__version__}, {count} of {width}x{height}, {across}x{down} lags, {frames} frames:"
        for name, work in (("grouped convolution", grouped), ("Fourier", fourier)):
            try:
                said += f" {name} {median_ms(lambda: work(parts, templates), wait):.4f} ms"
            except RuntimeError as failed:
                said += f" {name} failed ({str(failed).splitlines()[0]})"
        print(said, flush=True)


def smooth(n):
    """The least number from n on whose prime factors are 2, 3, 5 and 7."""
    while True:
        rest = n
        for p in (2, 3, 5, 7):
            while rest % p == 0:
                rest //= p
        if rest == 1:
            return n
        n += 1


numbers = [int(a) for a in sys.argv[1:]]
try:
    times([numbers[i:i + 6] for i in range(0, len(numbers), 6)])
except ImportError as missing:
    print(f"PyTorch: not here ({missing})")
